import { notAcceptable, textCodec } from './text-codec.js'

const fewestCharacters = 32

/** The secret that the record is sealed with; never shown. */
export const auditKey = textCodec<string>('auditKey', (text) =>
  text.length < fewestCharacters
    ? notAcceptable(
        `must have at least ${fewestCharacters} characters. Make one with: openssl rand -base64 32`,
      )
    : text,
)
