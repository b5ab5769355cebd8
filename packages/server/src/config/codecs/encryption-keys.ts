import { parseEncryptionKeys, type EncryptionKey } from '@account-import/adapter-sql/keys'
import { notAcceptable, textCodec } from './text-codec.js'

/** Keys that data keys are wrapped with, the first one for new data; their text is secret and never shown. */
export const encryptionKeys = textCodec<readonly [EncryptionKey, ...EncryptionKey[]]>(
  'encryptionKeys',
  (text) =>
    parseEncryptionKeys(text) ??
    notAcceptable(
      'must be keys of 32 bytes in base64, each once, with commas or blanks between them. Make one with: openssl rand -base64 32',
    ),
)
