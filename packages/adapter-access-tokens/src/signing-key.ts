import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'

/** The key that access tokens are signed with, and the one algorithm that goes with it. */
export type SigningKey = Readonly<{ algorithm: 'HS256' | 'EdDSA'; sign: KeyObject; verify: KeyObject }>

const leastBytes = 32

const fromPem = (pem: string): SigningKey | undefined => {
  try {
    const sign = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' })
    return sign.asymmetricKeyType === 'ed25519'
      ? { algorithm: 'EdDSA', sign, verify: createPublicKey(sign) }
      : undefined
  } catch {
    // OpenSSL's own words may quote the text, which is secret: the caller says what is expected instead.
    return undefined
  }
}

const fromBase64 = (text: string): SigningKey | undefined => {
  const bytes = Buffer.from(text, 'base64')
  // Buffer skips characters that are no base64; encoding it again shows whether it did.
  const same = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  if (!same || bytes.length < leastBytes) return undefined
  const key = createSecretKey(bytes)
  return { algorithm: 'HS256', sign: key, verify: key }
}

/**
 * Reads a signing key: base64 of at least 32 bytes (HS256), or a PKCS#8 PEM of an Ed25519 private key (EdDSA),
 * in which `\n` may stand for the line ends. Anything else is `undefined`.
 */
export const parseSigningKey = (text: string): SigningKey | undefined =>
  text.includes('-----BEGIN') ? fromPem(text.replaceAll('\\n', '\n')) : fromBase64(text.trim())
