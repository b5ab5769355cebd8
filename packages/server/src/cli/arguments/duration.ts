import { InvalidArgumentError } from 'commander'

const form = /^(\d{1,6})([smhd])$/

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A time such as 90s, 30m, 24h or 7d, or 0; in seconds. */
export const duration = (text: string): number => {
  if (text === '0') return 0
  const [, amount = '', unit = ''] = form.exec(text) ?? []
  const seconds = Number(amount) * (unitSeconds[unit] ?? Number.NaN)
  if (Number.isNaN(seconds)) throw new InvalidArgumentError('It must be 0 or a time such as 30m, 24h or 7d.')
  return seconds
}
