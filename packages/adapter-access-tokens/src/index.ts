export { defaultTokenNames, joseAccessTokens } from './jose-access-tokens.js'
export {
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
  type VerificationKey,
} from './signing-key.js'
