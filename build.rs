//! Gives the shared library the name and the loader flags of `libblosc2`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if os == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libblosc2.so.9");
        // Parked pool workers run our code: dlclose must not unmap it under them.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,now,-z,relro");
    }
}
