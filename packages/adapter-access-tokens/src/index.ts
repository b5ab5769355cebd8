export { defaultTokenNames, joseAccessTokens, type TokenNames } from './jose-access-tokens.js'
export {
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
  type VerificationKey,
} from './signing-key.js'
