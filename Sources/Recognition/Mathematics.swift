internal import Support

func exponential(_ value: Float) -> Float { expf(value) }
func logarithm(_ value: Double) -> Double { log(value) }
func exponential(_ value: Double) -> Double { exp(value) }
