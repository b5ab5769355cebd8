import { InvalidArgumentError } from 'commander'

/** Reads a number of days from 0, which is at once, or `off` for keeping staged data for ever. */
export const retentionArgument = (text: string): number | 'off' => {
  if (text === 'off') return 'off'
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('Use a whole number of days, or off.')
  return Number(text)
}
