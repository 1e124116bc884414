//! UTF-16 as people read it. git takes it for binary, unless attributes say what it is.

/// The sides of a change as UTF-8, where each begins with the same byte order mark and is UTF-16 throughout: only then
/// is what differs in the text all that differs in the bytes. The mark stays, so that it is seen.
pub fn decoded(sides: &[impl AsRef<[u8]>]) -> Option<Vec<Vec<u8>>> {
    let unit: fn([u8; 2]) -> u16 = match sides.first()?.as_ref().get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    sides.iter().map(|side| decode(side.as_ref(), unit)).collect()
}

fn decode(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Vec<u8>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let is_marked = pairs.first().is_some_and(|mark| unit(*mark) == 0xfeff);
    let text: Result<String, _> =
        char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    text.ok().filter(|_| is_marked && rest.is_empty()).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_loses_nothing_is_decoded() {
        let le = b"\xff\xfeh\0i\0\n\0".as_slice();
        let be = b"\xfe\xff\0h\0i\0\n".as_slice();
        let text = "\u{feff}hi\n".as_bytes().to_vec();
        assert_eq!(decoded(&[le]), Some(vec![text.clone()]));
        assert_eq!(decoded(&[be, be]), Some(vec![text.clone(), text]));
        // Another byte order, no mark, half a unit, a lone surrogate: these are told apart as bytes.
        for other in [be, b"h\0", b"", b"\xff\xfeh", b"\xff\xfe\0\xd8"] {
            assert_eq!(decoded(&[le, other]), None, "{other:?}");
        }
    }
}
