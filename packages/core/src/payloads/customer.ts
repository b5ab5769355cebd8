import { code, email, list, optional, phone, required, struct, term, text } from '../codec/index.js'

const userDetail = struct('user detail', {
  namespace: required(code(128, 'user_detail_namespace')),
  value: required(term(1024)),
})

/** A person or business of the account, and how to reach them. */
export const customer = struct('customer', {
  account_roles: optional(list(code(64, 'account_roles'))),
  user_details: optional(list(userDetail)),
  given_name: optional(text(255)),
  family_name: optional(text(255)),
  email: optional(email),
  mobile: optional(phone('mobile')),
  landline: optional(phone('landline')),
})
