//! `doctor`: what is wrong, and what to do about it. Finding a fault is an answer, not a failure.

use serde_json::{Value, json};

use super::{Answer, Context, args::DoctorArgs, guard};
use crate::{
    ops::doctor::{self, Fault, Mended},
    report::Report,
    review::visible::visible_str,
};

pub(super) fn doctor(context: &Context, args: &DoctorArgs) -> Result<Answer, Report> {
    let deck = context.deck()?;
    if args.fix {
        guard::refuse_inside(context, &deck, "mending")?;
        guard::tell_holder(&deck);
        let mended = doctor::fix(&deck)?;
        return Ok(Answer::both(
            mended_text(&mended),
            json!({
                "faults": mended.left.iter().map(fault_json).collect::<Vec<_>>(),
                "mended": mended.mended.iter().map(fault_json).collect::<Vec<_>>(),
                "warnings": mended.warnings,
            }),
        ));
    }
    let faults = doctor::read_faults(&deck)?;
    let json = json!({"faults": faults.iter().map(fault_json).collect::<Vec<_>>()});
    Ok(Answer::both(faults_text(&faults), json))
}

fn mended_text(mended: &Mended) -> String {
    let mut text = String::new();
    for fault in &mended.mended {
        text.extend([
            "mended: ",
            &visible_str(&fault.place),
            ": ",
            &visible_str(&fault.message),
            "\n",
        ]);
    }
    for warning in &mended.warnings {
        text.extend(["note: ", &visible_str(warning), "\n"]);
    }
    text + &faults_text(&mended.left)
}

fn faults_text(faults: &[Fault]) -> String {
    if faults.is_empty() {
        return "no fault was found\n".to_owned();
    }
    let mut text = String::new();
    for fault in faults {
        text.extend([&visible_str(&fault.place), ": ", &visible_str(&fault.message), "\n"]);
        text.extend(["  ", &visible_str(&fault.remedy), "\n"]);
    }
    if faults.iter().any(Fault::is_fixable) {
        text.push_str("shadowdeck doctor --fix mends what loses nothing\n");
    }
    text
}

fn fault_json(fault: &Fault) -> Value {
    json!({
        "code": fault.code,
        "where": fault.place,
        "message": fault.message,
        "remedy": fault.remedy,
        "fixable": fault.is_fixable(),
    })
}
