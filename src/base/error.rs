//! Errors: one type, one table of codes.

use std::borrow::Cow;
use std::fmt;

/// The result of every fallible operation of the engine.
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal;)*) => {
        /// What sort of thing went wrong. Each kind is one `BLOSC2_ERROR_*` code of the C interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum ErrorKind { $($(#[$doc])* $name = $code,)* }

        impl ErrorKind {
            /// Every kind, in the order of the codes.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$name,)*];

            /// A short description, also what `blosc2_error_string` gives.
            pub const fn text(self) -> &'static str {
                match self { $(ErrorKind::$name => $text,)* }
            }

            /// The kind that a code stands for.
            pub const fn from_code(code: i32) -> Option<ErrorKind> {
                match code { $($code => Some(ErrorKind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    /// Anything that no other kind names.
    Failure = -1, "Generic failure";
    /// A compressed stream that makes no sense.
    Stream = -2, "Bad stream";
    /// Data that contradicts itself.
    Data = -3, "Invalid data";
    /// Memory could not be had.
    MemoryAlloc = -4, "Memory alloc/realloc failure";
    /// The input ends too early.
    ReadBuffer = -5, "Not enough space to read";
    /// The output does not fit.
    WriteBuffer = -6, "Not enough space to write";
    /// No such codec in this build.
    CodecSupport = -7, "Codec not supported";
    /// A parameter the codec cannot take.
    CodecParam = -8, "Invalid parameter supplied to codec";
    /// A dictionary is missing or bad.
    CodecDict = -9, "Codec dictionary error";
    /// A newer (or foreign) format version.
    VersionSupport = -10, "Version not supported";
    /// A header field out of its range.
    InvalidHeader = -11, "Invalid value in header";
    /// An argument out of its range.
    InvalidParam = -12, "Invalid parameter supplied to function";
    /// Reading a file failed.
    FileRead = -13, "File read failure";
    /// Writing a file failed.
    FileWrite = -14, "File write failure";
    /// Opening a file failed.
    FileOpen = -15, "File open failure";
    /// No such thing.
    NotFound = -16, "Not found";
    /// A run that makes no sense.
    RunLength = -17, "Bad run length encoding";
    /// A filter failed or is unknown.
    FilterPipeline = -18, "Filter pipeline error";
    /// A chunk could not be inserted.
    ChunkInsert = -19, "Chunk insert failure";
    /// A chunk could not be appended.
    ChunkAppend = -20, "Chunk append failure";
    /// A chunk could not be replaced.
    ChunkUpdate = -21, "Chunk update failure";
    /// A size over 2 GB.
    TwoGbLimit = -22, "Sizes larger than 2gb not supported";
    /// A super-chunk could not be copied.
    SchunkCopy = -23, "Super-chunk copy failure";
    /// A frame of the wrong type.
    FrameType = -24, "Wrong type for frame";
    /// A file could not be cut to size.
    FileTruncate = -25, "File truncate failure";
    /// A thread could not be started.
    ThreadCreate = -26, "Thread or thread context creation failure";
    /// A postfilter failed.
    Postfilter = -27, "Postfilter failure";
    /// A frame's special chunk is bad.
    FrameSpecial = -28, "Special frame failure";
    /// A super-chunk's special chunk is bad.
    SchunkSpecial = -29, "Special super-chunk failure";
    /// An I/O backend failed or is unknown.
    PluginIo = -30, "IO plugin error";
    /// A file could not be removed.
    FileRemove = -31, "Remove file failure";
    /// A pointer that may not be null is.
    NullPointer = -32, "Pointer is null";
    /// An index out of range.
    InvalidIndex = -33, "Invalid index";
    /// No metalayer of that name.
    MetalayerNotFound = -34, "Metalayer has not been found";
    /// A buffer larger than the format allows.
    MaxBufsizeExceeded = -35, "Maximum buffersize exceeded";
    /// A tuner failed.
    Tuner = -36, "Tuner failure";
    /// A frame lock could not be had.
    Lock = -37, "Frame lock failure";
}

impl ErrorKind {
    /// The `BLOSC2_ERROR_*` code.
    pub const fn code(self) -> i32 {
        self as i32
    }
}

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(
    // Boxed: nearly every call passes a result that is not one, and that then fits in registers.
    Box<Story>,
);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Story {
    kind: ErrorKind,
    what: Cow<'static, str>,
}

impl Error {
    /// An error of `kind`; `what` says what happened and where, for a person.
    #[cold]
    pub fn new(kind: ErrorKind, what: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Story { kind, what: what.into() }))
    }

    /// [`Error::new`] for what the macro `fail` is given.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn told(kind: ErrorKind, what: fmt::Arguments<'_>) -> Self {
        Error::new(kind, what.to_string())
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The `BLOSC2_ERROR_*` code.
    pub fn code(&self) -> i32 {
        self.0.kind.code()
    }

    /// What happened, in words.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// The same error, told from one floor further up: `where_` is put before what happened.
    #[must_use]
    pub fn at(self, where_: impl fmt::Display) -> Self {
        Error::new(self.kind(), format!("{where_}: {}", self.what()))
    }

    /// The same story under another kind, where the interface promises a certain code.
    #[must_use]
    pub fn as_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what(), self.kind().text())
    }
}

impl std::error::Error for Error {}

/// `Err` of a kind, with words made by `format!`.
#[macro_export]
#[doc(hidden)]
macro_rules! fail {
    ($kind:ident, $($what:tt)+) => {
        return Err($crate::base::Error::told($crate::base::ErrorKind::$kind, format_args!($($what)+)))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_round_trip() {
        for (i, kind) in ErrorKind::ALL.iter().enumerate() {
            assert_eq!(kind.code(), -(i as i32) - 1);
            assert_eq!(ErrorKind::from_code(kind.code()), Some(*kind));
        }
        assert_eq!(ErrorKind::ALL.len(), 37);
        assert_eq!(ErrorKind::from_code(0), None);
    }

    #[test]
    fn where_comes_before_what() {
        let e = Error::new(ErrorKind::Data, "cbytes 7 is less than a header").at("chunk 3");
        assert_eq!(e.what(), "chunk 3: cbytes 7 is less than a header");
        assert_eq!(e.code(), -3);
    }
}
