import { parseVerificationKeys, type VerificationKey } from '@account-import/adapter-access-tokens'
import { notAcceptable, textCodec } from './text-codec.js'

/** Keys whose access tokens are accepted besides those of the signing key; their text is secret and never shown. */
export const verificationKeys = textCodec<readonly VerificationKey[]>(
  'verificationKeys',
  (text) =>
    parseVerificationKeys(text) ??
    notAcceptable(
      'must be keys as for TOKEN_SIGNING_KEY, or PEMs of Ed25519 public keys, with commas or blanks between them',
    ),
)
