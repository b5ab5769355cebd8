const most = 3600

/** Whole seconds, 1 to 3600, of a `Retry-After` header in either of its forms; undefined where there is none. */
export const retryAfterSeconds = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(most, Math.max(1, seconds))
}
