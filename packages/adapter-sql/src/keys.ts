// Loads no driver of a database, for commands that only read a configuration.
export { parseEncryptionKeys, secretKeyRing, type EncryptionKey } from './sql/crypto.js'
