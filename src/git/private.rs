//! The private object store: made on first need, readable in process together with the repository's own.
//! Nothing in it is ever named by a ref.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use gix::objs::WriteTo;

use super::{
    Repository,
    refs::{Reading, object_id, oid},
    repository::quoted_alternate,
};
use crate::{
    report::{Doing, Report},
    shadow::Oid,
};

/// What is written into the store: half the time of git's own choice for a tenth more bytes. Whatever leaves it is
/// packed anew.
pub(super) const QUICK: &str = "core.looseCompression=1";

/// Makes the store where it is missing. Its alternate is written before it can be seen.
pub fn ensure(repository: &Repository) -> Result<(), Report> {
    let objects = repository.private_objects();
    let alternates = objects.join("info/alternates");
    // Compared, not only looked for: the repository may have been moved.
    if fs::read(&alternates).is_ok_and(|text| text == alternates_of(repository, &objects)) {
        return Ok(());
    }
    let is_new = !objects.exists();
    fill_alternates(repository, &objects)?;
    if is_new {
        forget_indexes(repository);
    }
    Ok(())
}

/// Indexes kept from earlier scans name objects of the store that is gone: git would not write them again.
fn forget_indexes(repository: &Repository) {
    let dir = fs::read_dir(repository.looking_dir().join("index"));
    for entry in dir.into_iter().flatten().flatten() {
        // A scan under way works on a copy, which has no such name.
        if entry.file_name().as_encoded_bytes().contains(&b'~') {
            // Gone already, or in the way of nothing but speed.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn fill_alternates(repository: &Repository, objects: &Path) -> Result<(), Report> {
    fs::create_dir_all(objects.join("info")).doing(format!("make {}", objects.display()))?;
    replace_file(&objects.join("info/alternates"), &alternates_of(repository, objects))
}

/// A temporary store also reads the lasting one: it may hold what a conflict was resolved with.
fn alternates_of(repository: &Repository, objects: &Path) -> Vec<u8> {
    let mut named = quoted_alternate(&repository.common_dir.join("objects"));
    named.push(b'\n');
    let lasting = lasting(repository);
    if !objects.starts_with(repository.private_dir()) && lasting.is_dir() {
        named.extend(quoted_alternate(&lasting));
        named.push(b'\n');
    }
    named
}

/// Writes beside and renames, so that a reader sees the old file or the new one.
pub fn replace_file(file: &Path, bytes: &[u8]) -> Result<(), Report> {
    let beside = beside(file);
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, file))
        .doing(format!("write {}", file.display()))
}

/// A name in the same directory that no other process or thread uses.
pub fn beside(file: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    file.with_file_name(name)
}

/// A handle for reading both stores, of one thread's own.
pub type Local = gix::Repository;

/// A handle of this thread's own that also reads the private store.
pub fn local(repository: &Repository) -> Result<Local, Report> {
    ensure(repository)?;
    let mut local = repository.local();
    let options = gix::odb::store::init::Options {
        slots: super::repository::object_store_slots(),
        ..gix::odb::store::init::Options::default()
    };
    let objects = gix::odb::at_opts(repository.private_objects(), local.object_hash(), [], options)
        .reading("the private object store")?;
    local.objects = gix::odb::memory::Proxy::new(objects, local.object_hash());
    Ok(local)
}

/// The bytes of a blob, from either store.
pub fn read_blob(local: &gix::Repository, id: &Oid) -> Result<Vec<u8>, Report> {
    /// Below, copying costs nothing.
    const COPIED_BYTES_MAX: usize = 64 << 10;
    let blob = local.find_object(object_id(id)).reading(format!("blob {id}"))?;
    // Its buffer is larger than the blob, and lies behind the memory that unpacked it: kept, thousands of them leave
    // as many holes. Given back, it is the next one's.
    if blob.data.len() <= COPIED_BYTES_MAX {
        return Ok(blob.data.clone());
    }
    Ok(blob.detach().data)
}

/// Writes one object into the private store, unless it is there; no process.
pub fn write_object(repository: &Repository, object: &dyn WriteTo) -> Result<Oid, Report> {
    ensure(repository)?;
    let hash = repository.local().object_hash();
    let store = gix::odb::loose::Store::at(repository.private_objects(), hash);
    let (mut bytes, mut known) = (Vec::new(), Vec::new());
    object.write_to(&mut bytes).doing("write an object")?;
    let id = gix::objs::compute_hash(hash, object.kind(), &bytes).reading("an object's name")?;
    if store.try_find(&id, &mut known).is_ok_and(|found| found.is_some_and(|it| it.data == bytes)) {
        return Ok(oid(id));
    }
    let id = gix::objs::Write::write_buf(&store, object.kind(), &bytes)
        .reading("back what was written")?;
    Ok(oid(id))
}

/// Whether the error says that a file is not there.
pub(super) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// The store of the private directory; the temporary one of a repository that cannot be written goes by itself.
fn lasting(repository: &Repository) -> PathBuf {
    repository.private_dir().join("objects")
}

/// Makes the store anew, with nothing but the blobs of `keep`: all else in it can be worked out again. The old one is
/// exchanged for the new one in one step, so a reader finds either. The answer names those of `keep` that the old one
/// did not give back whole.
pub fn rebuild(repository: &Repository, keep: &[Oid]) -> Result<Vec<Oid>, Report> {
    let objects = lasting(repository);
    if !objects.exists() {
        return Ok(Vec::new());
    }
    let hash = repository.local().object_hash();
    let fresh = beside(&objects);
    let mut lost = Vec::new();
    let made = fill_alternates(repository, &fresh).and_then(|()| {
        let local = local(repository)?;
        let store = gix::odb::loose::Store::at(fresh.clone(), hash);
        for id in keep {
            match read_blob(&local, id) {
                Ok(bytes) => {
                    gix::objs::Write::write_buf(&store, gix::object::Kind::Blob, &bytes)
                        .reading("back what was written")?;
                }
                Err(_) => lost.push(id.clone()),
            }
        }
        exchange(&fresh, &objects)?;
        forget(&repository.private_dir())
    });
    // After the exchange this is the old one; before it, a new one that nobody has seen.
    fs::remove_dir_all(&fresh).doing(format!("remove {}", fresh.display())).and(made)?;
    Ok(lost)
}

fn exchange(one: &Path, other: &Path) -> Result<(), Report> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
        .map_err(io::Error::from)
        .doing(format!("exchange {} for a new one", other.display()))
}

/// Drops objects that hold nothing: a crash leaves them, since looking does not wait for the disk. All of them can be
/// worked out again, together with what was remembered from them. How many there were.
pub fn drop_empty(repository: &Repository) -> Result<u32, Report> {
    let objects = repository.private_objects();
    let mut dropped = 0;
    for dir in read_dir(&objects)? {
        let is_fan = dir.file_name().is_some_and(|name| name.len() == 2);
        for file in if is_fan { read_dir(&dir)? } else { Vec::new() } {
            if fs::symlink_metadata(&file).is_ok_and(|about| about.is_file() && about.len() == 0) {
                fs::remove_file(&file).doing(format!("remove {}", file.display()))?;
                dropped += 1;
            }
        }
    }
    if dropped > 0 {
        forget(repository.looking_dir())?;
    }
    Ok(dropped)
}

/// Private indexes and caches name objects of the store: without these they would be believed wrongly.
fn forget(dir: &Path) -> Result<(), Report> {
    for remembered in ["index", "cache"] {
        match fs::remove_dir_all(dir.join(remembered)) {
            Err(error) if !is_missing(&error) => {
                return Err(error).doing(format!("remove what {remembered} remembers"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_dir(dir: &Path) -> Result<Vec<PathBuf>, Report> {
    let what = || format!("read {}", dir.display());
    match fs::read_dir(dir) {
        Ok(listed) => listed.map(|entry| entry.map(|entry| entry.path()).doing(what())).collect(),
        Err(error) if is_missing(&error) => Ok(Vec::new()),
        Err(error) => Err(error).doing(what()),
    }
}

/// What is wrong with the store, in words: an object that is not what its name says, or no way to the repository's.
pub fn find_damage(repository: &Repository) -> Result<Option<String>, Report> {
    let objects = lasting(repository);
    if !objects.exists() {
        return Ok(None);
    }
    let alternates = fs::read(objects.join("info/alternates")).unwrap_or_default();
    if alternates != alternates_of(repository, &objects) {
        return Ok(Some("it does not lead to the repository's own objects".to_owned()));
    }
    let hash = repository.local().object_hash();
    let store = gix::odb::loose::Store::at(objects.clone(), hash);
    let mut bytes = Vec::new();
    for id in store.iter() {
        let id = id.reading(objects.display())?;
        let is_whole = match store.try_find(&id, &mut bytes) {
            Ok(Some(object)) => gix::objs::compute_hash(hash, object.kind, object.data)
                .is_ok_and(|found| found == id),
            // Removed while we looked.
            Ok(None) => true,
            Err(_) => false,
        };
        if !is_whole {
            return Ok(Some(format!("object {id} in it is damaged")));
        }
    }
    Ok(None)
}
