/** The values that are not missing: the very array where none is. */
export function withoutNaN<Values extends Float32Array | Float64Array>(values: Values): Values {
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== values[i]) return values.filter((value) => value === value) as Values;
  }
  return values;
}
