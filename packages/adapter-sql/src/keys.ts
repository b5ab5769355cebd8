// Without the drivers of databases: commands that only read a configuration load this.
export { parseEncryptionKeys, secretKeyRing, type EncryptionKey } from './sql/crypto.js'
