/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = Uint32Array.from(
  [...Array(312).keys()]
    .filter((n) => n > 1 && [...Array(n).keys()].every((each) => each < 2 || n % each > 0))
    .slice(0, 64),
  (prime) => (Math.cbrt(prime) % 1) * 2 ** 32,
)

const start = [
  0x6a_09_e6_67, 0xbb_67_ae_85, 0x3c_6e_f3_72, 0xa5_4f_f5_3a, 0x51_0e_52_7f, 0x9b_05_68_8c, 0x1f_83_d9_ab,
  0x5b_e0_cd_19,
] as const

const blockBytes = 64

/** SHA-256 of bytes that arrive in parts: the Web Crypto API takes all bytes at once, and a file may have a gigabyte. */
export class Sha256 {
  private readonly state = Int32Array.from(start)
  private readonly words = new Int32Array(64)
  private readonly open = new Uint8Array(blockBytes)
  private bytes = 0

  update(part: Uint8Array): this {
    let at = 0
    const held = this.bytes % blockBytes
    this.bytes += part.length
    if (held > 0) {
      at = Math.min(blockBytes - held, part.length)
      this.open.set(part.subarray(0, at), held)
      if (held + at < blockBytes) return this
      this.block(this.open, 0)
    }
    for (; at + blockBytes <= part.length; at += blockBytes) this.block(part, at)
    this.open.set(part.subarray(at))
    return this
  }

  /** The hash. Call it once, at the end. */
  digest(): Uint8Array {
    const bits = this.bytes * 8
    const padding = new Uint8Array(((119 - (this.bytes % blockBytes)) % blockBytes) + 9)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits % 2 ** 32)
    this.update(padding)
    const hash = new DataView(new ArrayBuffer(32))
    this.state.forEach((word, at) => hash.setInt32(4 * at, word))
    return new Uint8Array(hash.buffer)
  }

  private block(from: Uint8Array, offset: number): void {
    const { words, state } = this
    for (let at = 0, i = offset; at < 16; at += 1, i += 4)
      words[at] =
        ((from[i] ?? 0) << 24) | ((from[i + 1] ?? 0) << 16) | ((from[i + 2] ?? 0) << 8) | (from[i + 3] ?? 0)
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15] ?? 0, words[at - 2] ?? 0]
      const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)
      const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10)
      words[at] = ((words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second) | 0
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let at = 0; at < 64; at += 1) {
      const second = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const chosen = (e & f) ^ (~e & g)
      const one = (h + second + chosen + (constants[at] ?? 0) + (words[at] ?? 0)) | 0
      const first = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const two = (first + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    const sums = [a, b, c, d, e, f, g, h]
    for (let at = 0; at < 8; at += 1) state[at] = ((state[at] ?? 0) + (sums[at] ?? 0)) | 0
  }
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
