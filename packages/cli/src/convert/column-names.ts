/** The fields that a draft fills, by group. Those of `supply` may be in a file of their own, and those of `transaction`. */
export const draftFields = {
  account: ['external_account_number', 'billing_name'],
  customer: ['given_name', 'family_name', 'fiscal_code', 'email', 'mobile', 'landline'],
  supply: [
    'identifier',
    'distributor_ree_code',
    'atr_tariff',
    'kilowatts',
    'watts',
    'supply_start_date',
    'last_billed_to_date',
    'cnae',
    'annual_consumption',
    'tariff_code',
    'street_type',
    'street_name',
    'street_number',
    'floor',
    'door',
    'locality',
    'administrative_area',
    'postal_code',
  ],
  ledger: ['last_statement_balance'],
  transaction: ['transaction_id', 'transaction_date', 'amount'],
} as const

export type DraftField = (typeof draftFields)[keyof typeof draftFields][number]

/** Names of columns in Spanish, Catalan, Basque, Galician and English: in lower case, without accents, words with one blank between. */
const names: Readonly<Record<DraftField, string>> = {
  external_account_number:
    'cuenta|cliente|num cliente|numero cliente|numero de cliente|n cliente|no cliente|id cliente|cod cliente|codigo cliente|cuenta contrato|compte|client|num client|numero client|numero de client|codi client|id client|kontua|bezeroa|bezero zenbakia|bezero kodea|conta|numero da conta|cod cliente|account|account number|account no|customer|customer number|customer id|client id',
  billing_name:
    'titular|nombre completo|nombre titular|nombre y apellidos|razon social|nom complet|nom i cognoms|rao social|titularra|izen abizenak|nome completo|nome e apelidos|full name|holder|company name',
  given_name: 'nombre|nombre pila|nom|izena|nome|name|given name|first name|firstname',
  family_name:
    'apellidos|apellido|primer apellido|apellido1|cognoms|cognom|primer cognom|abizenak|abizena|apelidos|apelido|family name|last name|lastname|surname|surnames',
  fiscal_code:
    'nif|dni|cif|nie|nif cif|dni nif|nif titular|documento|numero documento|num documento|document|ifz|ifk|nan|vat|vat number|tax id|tax number|fiscal code',
  email:
    'email|e mail|mail|correo|correo electronico|correu|correu electronic|posta|posta elektronikoa|helbide elektronikoa|correo e|email address',
  mobile:
    'movil|tel movil|telefono movil|mobil|telefon mobil|mugikorra|telefono mugikorra|mobile|mobile phone|cell phone',
  landline:
    'telefono|tel|telefono fijo|fijo|telefon|telefon fix|fix|telefonoa|finkoa|telefono fixo|phone|telephone|landline',
  street_type: 'via|tipo via|tipo de via|tipus via|tipus de via|bide mota|tipo de via publica|street type',
  street_name:
    'calle|nombre via|nombre de via|direccion|domicilio|carrer|nom via|adreca|domicili|kalea|helbidea|rua|enderezo|street|street name|address|address line 1',
  street_number:
    'numero|num|n|no|numero calle|portal|num via|numero via|numero de via|zenbakia|atariaren zenbakia|number|house number|street number',
  floor: 'piso|planta|pis|solairua|andar|floor',
  door: 'puerta|porta|atea|door',
  locality:
    'ciudad|poblacion|localidad|municipio|ciutat|poblacio|localitat|municipi|hiria|herria|udalerria|cidade|concello|localidade|poboacion|city|town|locality|municipality',
  administrative_area: 'provincia|probintzia|lurraldea|province|state|county',
  postal_code:
    'cp|c p|codigo postal|cod postal|c postal|codi postal|posta kodea|pk|postal code|postcode|zip|zip code',
  identifier: 'cups|codigo cups|codi cups|cups20|cups22|cups kodea|supply point|supply point id',
  distributor_ree_code:
    'distribuidora|codigo distribuidora|cod distribuidora|codi distribuidora|banatzailea|distributor|distributor code',
  atr_tariff:
    'tarifa|tarifa atr|tarifa acceso|tarifa de acceso|peaje|peaje acceso|tarifa d acces|peatge|sarbide tarifa|tarifa de acceso atr|peaxe|access tariff|toll|atr tariff',
  kilowatts:
    'potencia|potencia kw|potencia contratada|potencia contratada kw|potencia contractada|potencia contractada kw|potentzia|kontratatutako potentzia|power|power kw|contracted power kw|kw',
  watts: 'potencia w|potencia contratada w|potencia contractada w|power w|contracted power w|watts',
  supply_start_date:
    'alta|fecha alta|fecha de alta|fecha inicio|data alta|data d alta|data inici|alta data|hasiera data|data de alta|data inicio|start date|supply start|supply start date',
  last_billed_to_date:
    'facturado|facturado hasta|ultima factura|fecha ultima factura|fecha ultima lectura|facturat|facturat fins|darrera factura|ultima lectura|azken faktura|azken irakurketa|facturado ata|billed to|last billed|last bill date',
  cnae: 'cnae|codigo cnae|codi cnae|cnae code|activity code',
  annual_consumption:
    'consumo anual|consumo anual kwh|consum anual|consum anual kwh|urteko kontsumoa|annual consumption|yearly consumption|annual kwh',
  tariff_code:
    'producto|plan|codigo producto|producte|codi producte|produktua|produto|product|product code|tariff code',
  last_statement_balance: 'saldo|saldo eur|saldo euros|deuda|deute|saldoa|zorra|debeda|balance|balance eur',
  transaction_id:
    'pago|id pago|num pago|recibo|num recibo|movimiento|id movimiento|pagament|id pagament|rebut|moviment|ordainketa|ordainagiria|mugimendua|pagamento|payment|payment id|transaction|transaction id|receipt',
  transaction_date:
    'fecha|fecha pago|fecha de pago|fecha movimiento|data|data pagament|data de pagament|eguna|ordainketa data|data de pagamento|date|payment date|transaction date',
  amount:
    'importe|importe eur|importe euros|cantidad|import|import eur|zenbatekoa|kantitatea|importe total|amount|amount eur',
}

const fields: ReadonlyMap<string, DraftField> = new Map(
  Object.entries(names).flatMap(([field, known]) =>
    known.split('|').map((name) => [name, field as DraftField] as const),
  ),
)

/** The field that a column has by its name; undefined for other names. */
export const fieldOfColumn = (column: string): DraftField | undefined =>
  fields.get(
    column
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim(),
  )
