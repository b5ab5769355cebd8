const form = /^[A-Za-z0-9_][\w. -]*(?:\/[A-Za-z0-9_][\w. -]*)*$/

export const isPlainPath = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max && form.test(value)
