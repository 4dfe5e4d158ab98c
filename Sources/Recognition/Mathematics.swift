internal import Glibc

func exponential(_ value: Float) -> Float { expf(value) }
func logarithm(_ value: Double) -> Double { log(value) }
