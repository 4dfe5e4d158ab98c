// See drawml_max_pool.

static void pool(const struct drawml_max_pool *p) {
  for (long example = 0; example < p->examples; example++)
    for (long y = 0; y < p->height; y++)
      for (long x = 0; x < p->width; x++) {
        const float *input = p->input.values + example * p->input.example +
                             y * p->rows * p->input.row + 2 * x * p->input.pixel;
        float *output = p->output.values + example * p->output.example + y * p->output.row +
                        x * p->output.pixel;
        for (long channel = 0; channel < p->channels; channel += LANES) {
          const long count = p->channels - channel;
          vector largest = load_some(input + channel, count);
          largest = larger(largest, load_some(input + p->input.pixel + channel, count));
          if (p->rows == 2) {
            const float *below = input + p->input.row + channel;
            largest = larger(largest, load_some(below, count));
            largest = larger(largest, load_some(below + p->input.pixel, count));
          }
          store_some(largest, output + channel, count);
        }
      }
}
