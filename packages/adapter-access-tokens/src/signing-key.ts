import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
} from 'node:crypto'

/** A key that verifies access tokens, and its one algorithm. */
export type VerificationKey = Readonly<{
  /** The name of the key in tokens (`kid`): equal on every server that reads the key, and reveals nothing of it. */
  id: string
  algorithm: 'HS256' | 'EdDSA'
  verify: KeyObject
}>

/** The key that signs access tokens. */
export type SigningKey = VerificationKey & Readonly<{ sign: KeyObject }>

const leastBytes = 32

const idLength = 16

const publicKeyFrom = (pem: string): VerificationKey | undefined => {
  try {
    // For a private key this is the public half.
    const verify = createPublicKey({ key: pem, format: 'pem' })
    if (verify.asymmetricKeyType !== 'ed25519') return undefined
    const spki = verify.export({ format: 'der', type: 'spki' })
    const id = createHash('sha256').update(spki).digest('base64url').slice(0, idLength)
    return { id, algorithm: 'EdDSA', verify }
  } catch {
    // OpenSSL's message may quote the text, which is secret: the caller's message states the expected content instead.
    return undefined
  }
}

const fromPem = (pem: string): SigningKey | undefined => {
  try {
    const sign = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' })
    const key = publicKeyFrom(pem)
    return key && { ...key, sign }
  } catch {
    return undefined
  }
}

const fromBase64 = (text: string): SigningKey | undefined => {
  const bytes = Buffer.from(text, 'base64')
  // Buffer skips characters that are no base64; encoding it again shows whether it did.
  const same = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  if (!same || bytes.length < leastBytes) return undefined
  const key = createSecretKey(bytes)
  const id = createHmac('sha256', key).update('kid').digest('base64url').slice(0, idLength)
  return { id, algorithm: 'HS256', sign: key, verify: key }
}

const withLineEnds = (text: string): string => text.replaceAll('\\n', '\n')

/**
 * Reads a signing key: base64 of at least 32 bytes (HS256), or a PKCS#8 PEM of an Ed25519 private key (EdDSA), in which `\n` may
 * replace line ends. Any other text is `undefined`.
 */
export const parseSigningKey = (text: string): SigningKey | undefined =>
  text.includes('-----BEGIN') ? fromPem(withLineEnds(text)) : fromBase64(text.trim())

const pem = /-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/g

/**
 * Reads any number of verification keys: as for `parseSigningKey`, or a PEM of an Ed25519 public key, separated by commas, blanks
 * or line ends. `undefined` where one of them is invalid.
 */
export const parseVerificationKeys = (text: string): readonly VerificationKey[] | undefined => {
  const pems = withLineEnds(text)
  const others = pems
    .replaceAll(pem, ' ')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
  const keys: (VerificationKey | undefined)[] = [
    ...(pems.match(pem) ?? []).map(publicKeyFrom),
    ...others.map(fromBase64),
  ]
  return keys.every((key) => key !== undefined)
    ? keys.map(({ id, algorithm, verify }) => ({ id, algorithm, verify }))
    : undefined
}
