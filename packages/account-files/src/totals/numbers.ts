const whole = new Intl.NumberFormat('en')
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A whole number with separators: `12,345`. */
export const numberText = (value: number): string => whole.format(value)

/** One decimal: `12.3`. */
export const decimalText = (value: number): string => tenths.format(value)

/**
 * A share in percent, `12.3%`. Only exact shares are `0.0%` and `100.0%`; others near them are `<0.1%` and `>99.9%`.
 */
export const shareText = (part: number, all: number): string => {
  if (all === 0) return '–'
  const percent = (100 * part) / all
  if (part > 0 && percent < 0.1) return '<0.1%'
  if (part < all && percent > 99.9) return '>99.9%'
  return `${tenths.format(percent)}%`
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size in the unit that suits it: `1.5 MiB`. */
export const sizeText = (bytes: number): string => {
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return at === 0 ? `${numberText(bytes)} bytes` : `${tenths.format(bytes / 1024 ** at)} ${units[at] ?? ''}`
}

/** `1 account`, `2 accounts`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** `37 s`, `12 min 5 s`, `3 h 20 min`. */
export const durationText = (seconds: number): string => {
  const rounded = Math.round(seconds)
  if (rounded < 60) return `${rounded} s`
  return rounded < 3600
    ? `${Math.floor(rounded / 60)} min ${rounded % 60} s`
    : `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`
}
