#ifndef DRAWML_CKERNELS_CONVOLUTION_H
#define DRAWML_CKERNELS_CONVOLUTION_H

#pragma clang assume_nonnull begin

/// Strided pictures in a buffer; all steps are in floats.
struct drawml_pixels {
  float *_Nullable values;
  /// The steps from an example, a row or a pixel to the next. The channels of a pixel are
  /// contiguous.
  long example, row, pixel;
};

/// The values under a kernel. The buffer must include the zero padding around the picture.
struct drawml_patches {
  /// The first value under the kernel at the first pixel of the output.
  const float *_Nullable values;
  /// The steps from an example, a row or a pixel to the next, in floats.
  long example, row, pixel;
  /// The rows of the kernel, and the contiguous values in each: columns times channels.
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
  /// `kernel_rows` of the second is 0 if there is no second one.
  struct drawml_patches first, second;
  /// Panels of channels, the last padded with zeros: in each, a row of channels for each value
  /// under the first kernel, then under the second.
  const float *_Nullable weights;
  /// Padded with zeros to whole panels; null for no bias.
  const float *_Nullable bias;
  /// `values` is null for no addend.
  struct drawml_pixels addend;
  struct drawml_pixels output;
  /// Whether negative values become 0; NaN propagates.
  int rectifies;
};

/// The number of points per tile in each direction.
#define DRAWML_POINTS 6
/// The maximum gap, in floats, between the values of one point and of the next.
#define DRAWML_POINT_GAP 32

/// output = rectified(bias + convolution of the input + addend) with fewer multiplications than a
/// direct convolution: the picture is cut into tiles of `rows` × `columns` outputs, each tile is
/// transformed to DRAWML_POINTS points (squared for pictures of several rows), and one matrix
/// product per point gives all sums of the tile (Winograd 1980; Lavin and Gray 2016, arXiv
/// 1509.09308).
///
/// As with `drawml_convolution`, the result for an example does not depend on the others, and
/// levels 1 and 2 give the same bits.
struct drawml_winograd {
  /// The shape of the output.
  long examples, height, width, channels;
  /// The channels of the input, which has the output's height and width; values outside are 0.
  long inputs;
  /// 3 or 5; 1 row for a sequence.
  long kernel_rows, kernel_columns;
  /// DRAWML_POINTS + 1 minus the side of the kernel; 1 row for a sequence.
  long rows, columns;
  /// For each point, panels as for `drawml_convolution`, with a row for each input channel.
  const float *_Nullable weights;
  /// Padded with zeros to whole panels.
  const float *_Nullable bias;
  struct drawml_pixels input;
  /// `values` is null for no addend.
  struct drawml_pixels addend;
  struct drawml_pixels output;
  int rectifies;
  /// The number of examples per round, so that their transformed tiles fit in a core's L2 cache.
  long examples_per_round;
  /// Scratch space of points × (tiles of these examples × (inputs + channels) + 2 ×
  /// DRAWML_POINT_GAP) floats.
  float *_Nullable scratch;
};

/// Whether Winograd's method is supported and saves more than its transforms cost: kernels of 3 or
/// 5 columns and as many rows, or one row for a sequence, on at least 4 pixels each way and 16
/// channels in and out.
static inline int drawml_winograd_saves(
    long height, long width, long inputs, long channels, long kernel_rows, long kernel_columns) {
  const int is_square = kernel_rows == kernel_columns && height >= 4;
  const int is_sequence = kernel_rows == 1 && height == 1;
  return (is_square || is_sequence) && (kernel_columns == 3 || kernel_columns == 5) && width >= 4 &&
         inputs >= 16 && channels >= 16;
}

/// Max pooling over `rows` × 2 pixels, per channel.
struct drawml_max_pool {
  /// The shape of the output.
  long examples, height, width, channels;
  /// 1 or 2.
  long rows;
  struct drawml_pixels input, output;
};

/// A convolution of a training step: stride 1, output as large as the input, pictures without
/// padding, [examples, height, width, channels]; weights [rows, columns, inputs, outputs].
struct drawml_layer {
  long height, width, inputs, outputs, rows, columns;
};

#pragma clang assume_nonnull end

#endif
