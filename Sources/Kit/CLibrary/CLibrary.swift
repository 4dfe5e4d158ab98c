// The only import of the system's C library: to build on another one, such as Musl, change it
// here.
@_exported public import Glibc
