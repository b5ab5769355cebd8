import { notAcceptable, textCodec } from './text-codec.js'

/** Segments of unreserved characters that each begin with a slash; `/` alone is the empty prefix. */
export const basePath = textCodec<string>('basePath', (text) => {
  const path = text.replace(/\/$/, '')
  return /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(path)
    ? path
    : notAcceptable('must be a path such as /migration, made of letters, digits and . _ ~ -')
})
