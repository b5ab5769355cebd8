/** Where the pages of `docs/` can be read without a service. */
export const documentation = 'https://github.com/account-import/account-import/blob/main/docs'
