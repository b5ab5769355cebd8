export { defaultTokenNames, joseAccessTokens, type TokenNames } from './jose-access-tokens.js'
export { parseSigningKey, type SigningKey } from './signing-key.js'
