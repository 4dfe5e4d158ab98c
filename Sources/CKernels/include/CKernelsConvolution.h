#ifndef DRAWML_CKERNELS_CONVOLUTION_H
#define DRAWML_CKERNELS_CONVOLUTION_H

#pragma clang assume_nonnull begin

/// Values of pictures that lie in a buffer with steps between them; all steps count floats.
struct drawml_pixels {
  float *_Nullable values;
  /// From an example, a row or a pixel to the next one. The channels of a pixel lie side by side.
  long example, row, pixel;
};

/// What lies under a kernel. A margin of zeros around the picture must be part of the buffer.
struct drawml_patches {
  /// The first value under the kernel at the first pixel of the output.
  const float *_Nullable values;
  /// From an example, a row or a pixel to the next one, in floats.
  long example, row, pixel;
  /// The rows of the kernel, and the values side by side in one of them: columns times channels.
  long kernel_rows, run;
};

/// output = rectified(bias + patches · weights + other patches · other weights + addend), by direct
/// convolution (Zhang, Franchetti and Low 2018, arXiv 1809.10170).
///
/// Each output is one sum in a fixed order (bias, then kernel row by kernel row of the first and
/// second patches, then the addend), whatever the number of examples, so that the result for an
/// example does not depend on the others. Levels 1 and 2 give the same bits.
struct drawml_convolution {
  /// The shape of the output.
  long examples, height, width, channels;
  /// `kernel_rows` of the second is 0 when there is none.
  struct drawml_patches first, second;
  /// Panels of channels, one after the other, the last filled up with zeros: in each a row of
  /// channels for each value under the first kernel, and then under the second.
  const float *_Nullable weights;
  /// Filled up with zeros to whole panels; null for none.
  const float *_Nullable bias;
  /// `values` is null when there is none.
  struct drawml_pixels addend;
  struct drawml_pixels output;
  /// Whether what is below 0 becomes 0; NaN stays NaN.
  int rectifies;
};

/// How many values stand for a tile in each direction.
#define DRAWML_POINTS 6
/// How many floats may lie between what stands for the tiles at one point and at the next.
#define DRAWML_POINT_GAP 32

/// output = rectified(bias + convolution of the input + addend) with fewer multiplications than
/// there are in the sums: the picture is cut into tiles of `rows` × `columns` outputs, a few values
/// of each are added up so that one product of matrices for each of DRAWML_POINTS values (by
/// DRAWML_POINTS when there are rows) gives all sums of the tile (Winograd 1980; Lavin and Gray
/// 2016, arXiv 1509.09308).
///
/// As with `drawml_convolution` the result for an example does not depend on the others, and levels
/// 1 and 2 give the same bits.
struct drawml_winograd {
  /// The shape of the output.
  long examples, height, width, channels;
  /// The channels of the input. It has the output's height and width; outside of it is 0.
  long inputs;
  /// 3 or 5; 1 row for a sequence.
  long kernel_rows, kernel_columns;
  /// DRAWML_POINTS + 1 less the side of the kernel; 1 row for a sequence.
  long rows, columns;
  /// For each point panels as `drawml_convolution` takes them, of as many rows as there are inputs.
  const float *_Nullable weights;
  /// Filled up with zeros to whole panels.
  const float *_Nullable bias;
  struct drawml_pixels input;
  /// `values` is null when there is none.
  struct drawml_pixels addend;
  struct drawml_pixels output;
  int rectifies;
  /// How many examples go through together.
  long together;
  /// Room for points × (tiles of these examples × (inputs + channels) + 2 × DRAWML_POINT_GAP).
  float *_Nullable scratch;
};

/// The largest of each `rows` × 2 pixels, channel by channel.
struct drawml_max_pool {
  /// The shape of the output.
  long examples, height, width, channels;
  /// 1 or 2.
  long rows;
  struct drawml_pixels input, output;
};

/// A convolution of a training step: stride 1, and an output as large as the input, of pictures
/// without margins, [examples, height, width, channels]; weights [rows, columns, inputs, outputs].
struct drawml_layer {
  long height, width, inputs, outputs, rows, columns;
};

#pragma clang assume_nonnull end

#endif
