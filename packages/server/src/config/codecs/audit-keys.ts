import { notAcceptable, textCodec } from './text-codec.js'

const fewestCharacters = 32

/** Secrets that the record is sealed with, the first one for new entries; never shown. None where the text is empty. */
export const auditKeys = textCodec<readonly string[]>('auditKeys', (text) => {
  const keys = text.split(/[\s,]+/).filter((part) => part !== '')
  const areKeys = keys.every((key) => key.length >= fewestCharacters)
  return areKeys && new Set(keys).size === keys.length && (keys.length > 0 || text === '')
    ? keys
    : notAcceptable(
        `must be keys of at least ${fewestCharacters} characters, each once, with commas or blanks between them. ` +
          'Make one with: openssl rand -base64 32',
      )
})
