import {
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
  type VerificationKey,
} from '@account-import/adapter-access-tokens'
import { type EncryptionKey, parseEncryptionKeys } from '@account-import/adapter-sql/keys'
import { notAcceptable, textCodec } from './plain.js'

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

/** Keys that data keys are wrapped with, the first one for new data; their text is secret and never shown. */
export const encryptionKeys = textCodec<readonly [EncryptionKey, ...EncryptionKey[]]>(
  'encryptionKeys',
  (text) =>
    parseEncryptionKeys(text) ??
    notAcceptable(
      'must be keys of 32 bytes in base64, each once, with commas or blanks between them. Make one with: openssl rand -base64 32',
    ),
)

/** The key that signs access tokens; its text is secret and never shown. */
export const signingKey = textCodec<SigningKey>(
  'signingKey',
  (text) =>
    parseSigningKey(text) ??
    notAcceptable('must be base64 of at least 32 bytes, or a PKCS#8 PEM of an Ed25519 private key'),
)

/** Keys whose access tokens are accepted besides those of the signing key; their text is secret and never shown. */
export const verificationKeys = textCodec<readonly VerificationKey[]>(
  'verificationKeys',
  (text) =>
    parseVerificationKeys(text) ??
    notAcceptable(
      'must be keys as for TOKEN_SIGNING_KEY, or PEMs of Ed25519 public keys, with commas or blanks between them',
    ),
)
