import { notAcceptable, textCodec } from './text-codec.js'

/** A whole number in plain decimal digits within the limits, both included. */
export const wholeNumber = (least: number, most: number) =>
  textCodec<number>('wholeNumber', (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    return value >= least && value <= most
      ? value
      : notAcceptable(`must be a whole number from ${least} to ${most}`)
  })
