import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Asking for random bytes costs as much as encrypting a short text, so those of many vectors are asked for at once. */
const vectorsAtOnce = 256
let vectors = Buffer.alloc(0)

const nextVector = (): Buffer => {
  if (vectors.length === 0) vectors = randomBytes(ivBytes * vectorsAtOnce)
  const vector = vectors.subarray(0, ivBytes)
  vectors = vectors.subarray(ivBytes)
  return vector
}

/** Encrypts bytes or a text in UTF-8: a new initialisation vector, what it gives, and the tag that also covers `about`. */
export const encryptBytes = (
  key: Uint8Array | KeyObject,
  content: Uint8Array | string,
  about: string,
): readonly Buffer[] => {
  const iv = nextVector()
  const cipher = createCipheriv(algorithm, key, iv)
  cipher.setAAD(Buffer.from(about))
  const encrypted = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  cipher.final()
  return [iv, encrypted, cipher.getAuthTag()]
}

/** Throws where the bytes are not what `encryptBytes` gave for this key and the same `about`. */
export const decryptBytes = (key: Uint8Array | KeyObject, encrypted: Buffer, about: string): Buffer => {
  const iv = encrypted.subarray(0, ivBytes)
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(about))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  const content = decipher.update(encrypted.subarray(ivBytes, -tagBytes))
  // Says whether all of it is authentic; a stream cipher has nothing left to give here.
  decipher.final()
  return content
}
