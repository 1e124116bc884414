//! A file that the user names to be read whole, or stdin: never a pipe or a device that would not end, and of a bounded
//! size.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
};

use crate::{
    git::control,
    report::{Code, Report},
};

/// Far more than any text that somebody writes.
const MB_MAX: u64 = 100;

/// `-` is stdin. `what` begins the refusal, as in `the request`.
pub fn read(cwd: &Path, file: &Path, what: &str) -> Result<Vec<u8>, Report> {
    let bytes_max = MB_MAX << 20;
    let read = if file == Path::new("-") {
        read_stdin(io::stdin().lock(), bytes_max)
    } else {
        control::read_up_to(&cwd.join(file), bytes_max)
    };
    read.map_err(|error| {
        let headline = format!("{what} {} cannot be read: {error}", file.display());
        Report::user(Code::InvalidValue, headline)
            .unchanged()
            .hint(format!("name a regular file of at most {MB_MAX} MB, or - for stdin"))
            .detail("path", file.display().to_string())
    })
}

fn read_stdin(stdin: impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdin.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= bytes_max {
        return Ok(bytes);
    }
    let why = format!("stdin is larger than the {MB_MAX} MB that may be");
    Err(io::Error::new(ErrorKind::InvalidData, why))
}
