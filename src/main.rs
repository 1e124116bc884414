use std::process::ExitCode;

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "resolved once, here, and passed on")]
    let Ok(cwd) = std::env::current_dir() else {
        return ExitCode::from(1);
    };
    shadowdeck::runtime::survive_file_limit();
    let args = std::env::args_os().skip(1).collect();
    let hands = shadowdeck::cli::Hands {
        cockpit: &shadowdeck::runtime::run,
        editor: &shadowdeck::runtime::edit,
    };
    ExitCode::from(shadowdeck::cli::run(args, &cwd, hands))
}
