/** Bodies that are accepted as they stand, by the name of their codec. */
export const exampleBodies: Readonly<Record<string, unknown>> = {
  account: {
    import_supplier: 'LEVANTE',
    external_account_number: 'LEV-E-000456',
    account_type: 'DOMESTIC',
    customers: [
      {
        account_roles: ['ACCOUNT_HOLDER'],
        user_details: [{ namespace: 'fiscal_code', value: '12345678Z' }],
        given_name: 'Joan',
        family_name: 'Ferrer',
        email: 'joan.ferrer@example.org',
        mobile: '600 000 456',
      },
    ],
    supply_addresses: [
      {
        supply_address: { locality: 'Barcelona', postal_code: '08001', country: 'ES' },
        customer_at_supply_address_from_date: '2022-03-15',
        supply_points: [
          {
            identifier: 'ES0021000012345678LB',
            distributor_ree_code: '0021',
            supply_type: 'ELECTRICITY',
            supply_start_date: '2022-03-15',
            agreements: [{ tariff_code: 'LUZ-TRES-TRAMOS-2022', effective_from: '2022-03-15' }],
          },
        ],
      },
    ],
  },
  'process request': {
    external_account_number: 'LEV-E-000456',
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Migration team',
  },
}
