/**
 * Where supply points are: `postcodes` is the first and the last postal code in use, `electricity` and `gas` the
 * distributor codes that a CUPS begins with, `landline` the prefix of the province.
 */
export type Town = Readonly<{
  locality: string
  area: string
  postcodes: readonly [number, number]
  electricity: string
  gas: string
  landline: string
}>

const town = (
  locality: string,
  area: string,
  postcodes: readonly [number, number],
  electricity: string,
  gas: string,
  landline: string,
): Town => ({ locality, area, postcodes, electricity, gas, landline })

export const towns = [
  town('Valencia', 'Valencia', [46_001, 46_026], '0021', '0222', '960'),
  town('Gandia', 'Valencia', [46_700, 46_702], '0021', '0222', '962'),
  town('Castelló de la Plana', 'Castellón', [12_001, 12_006], '0021', '0222', '964'),
  town('Alicante', 'Alicante', [3001, 3016], '0021', '0222', '965'),
  town('Elche', 'Alicante', [3201, 3208], '0021', '0222', '966'),
  town('Murcia', 'Murcia', [30_001, 30_012], '0021', '0238', '968'),
  town('Madrid', 'Madrid', [28_001, 28_055], '0022', '0234', '910'),
  town('Alcalá de Henares', 'Madrid', [28_801, 28_807], '0022', '0234', '918'),
  town('Toledo', 'Toledo', [45_001, 45_008], '0022', '0220', '925'),
  town('Barcelona', 'Barcelona', [8001, 8042], '0031', '0217', '930'),
  town('Sabadell', 'Barcelona', [8201, 8208], '0031', '0217', '937'),
  town('Girona', 'Girona', [17_001, 17_007], '0031', '0217', '972'),
  town('Zaragoza', 'Zaragoza', [50_001, 50_018], '0029', '0238', '976'),
  town('Palma', 'Illes Balears', [7001, 7015], '0032', '0238', '971'),
  town('Sevilla', 'Sevilla', [41_001, 41_020], '0024', '0218', '954'),
  town('Málaga', 'Málaga', [29_001, 29_018], '0024', '0218', '952'),
  town('Granada', 'Granada', [18_001, 18_015], '0024', '0238', '958'),
  town('Bilbao', 'Bizkaia', [48_001, 48_015], '0021', '0229', '944'),
  town('Pamplona', 'Navarra', [31_001, 31_016], '0021', '0226', '948'),
  town('Oviedo', 'Asturias', [33_001, 33_013], '0026', '0230', '985'),
  town('Santander', 'Cantabria', [39_001, 39_012], '0027', '0230', '942'),
  town('A Coruña', 'A Coruña', [15_001, 15_011], '0022', '0225', '981'),
  town('Valladolid', 'Valladolid', [47_001, 47_016], '0021', '0221', '983'),
  town('León', 'León', [24_001, 24_010], '0022', '0221', '987'),
] as const
