/** The version of the rules over accounts: that of this package, as each release may change them. */
export const rulesVersion = '0.1.0'
