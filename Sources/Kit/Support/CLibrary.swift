// The only import of the system's C library, for Support and for every file that imports Support:
// to build on another one, such as Musl, change it here.
@_exported public import Glibc
