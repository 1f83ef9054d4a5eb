//! Gives the shared library the name, the loader flags and the layout of `libblosc2`.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/everyday.ld");
    if var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libblosc2.so.9");
        // Parked pool workers run our code: dlclose must not unmap it under them.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,now,-z,relro");
        if let Ok(root) = var("CARGO_MANIFEST_DIR")
            && takes_scripts()
        {
            println!("cargo:rustc-cdylib-link-arg=-T{root}/src/everyday.ld");
        }
    }
}

/// Whether the linker places functions by a script: GNU's and LLVM's do, others are known by the name they are asked for.
fn takes_scripts() -> bool {
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let asked = [var("RUSTC_LINKER"), var("CARGO_ENCODED_RUSTFLAGS")].map(Result::unwrap_or_default).concat();
    !["mold", "gold", "wild"].iter().any(|other| asked.contains(other))
}
