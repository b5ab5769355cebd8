  [{
    supply_address: {
      locality: c.municipio,
      administrative_area: c.provincia,
      postal_code: c.cp,
      country: 'ES',
      structured_street_address: { street_type: c.via, street_name: c.calle, street_number: c.numero }
    },
    customer_at_supply_address_from_date: c.alta,
