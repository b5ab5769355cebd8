import { countryCodes } from '@account-import/core/adapter-kit'
import { notAcceptable, textCodec } from './text-codec.js'

/** An ISO 3166-1 alpha-2 code, in capitals. */
export const country = textCodec<string>(
  'country',
  (text) =>
    countryCodes.find((code) => code === text) ??
    notAcceptable('must be a two-letter country code in capitals such as ES'),
)
