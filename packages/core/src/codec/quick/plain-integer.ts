/** Whether a value is one of the integers from `min` to `max`, where these are exact as doubles. */
export const isPlainInteger = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max && Number.isSafeInteger(value)
