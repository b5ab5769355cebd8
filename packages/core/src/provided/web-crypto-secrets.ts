import type { Secrets } from '../ports/secrets.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64url without padding: six bits a character. */
const base64url = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3)
    const group = (a << 16) | (b << 8) | c
    const characters = Math.min(bytes.length - index, 3) + 1
    for (let place = 0; place < characters; place++) text += alphabet[(group >> (18 - 6 * place)) & 63]
  }
  return text
}

const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Secrets by the Web Crypto API, which Node, Deno, Bun and browsers have. */
export const webCryptoSecrets: Secrets = {
  generate: () => base64url(crypto.getRandomValues(new Uint8Array(32))),
  hash: async (secret) => hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
}
