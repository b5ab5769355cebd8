import { parseSigningKey, type SigningKey } from '@account-import/adapter-access-tokens'
import { notAcceptable, textCodec } from './text-codec.js'

/** The key that signs access tokens; its text is secret and never shown. */
export const signingKey = textCodec<SigningKey>(
  'signingKey',
  (text) =>
    parseSigningKey(text) ??
    notAcceptable('must be base64 of at least 32 bytes, or a PKCS#8 PEM of an Ed25519 private key'),
)
