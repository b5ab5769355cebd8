  [{
    account_roles: ['ACCOUNT_HOLDER'],
    user_details: [{ namespace: 'fiscal_code', value: c.nif }],
    given_name: c.nombre,
    family_name: c.apellidos,
    email: c.correo,
    mobile: c.movil
  }] AS customers,
