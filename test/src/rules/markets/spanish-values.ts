const words = (text: string): readonly string[] => text.split(' ')

/** Spanish identifiers and codes, right and wrong, some of them at the edges of their rules. */
export const cups = {
  right: [
    ...words('ES1234123456789012JY ES1234000000000001JN ES0021000012345678LB ES0021000012345678LB1F'),
    ...'es 0021 0000 1234 5678 lb|ES0234-0000-9876-5432-VB|\u00a0ES0021000012345678LB\ufeff'.split('|'),
    ...'FPRCXYZ'.split('').map((kind) => `ES0021000012345678LB9${kind}`),
  ],
  wrong: [
    ...words('ES1234123456789012XY ES0021000012345678LC ES0021000012345678 PT0021000012345678LB'),
    ...words('ES0021000012345678LB1A ES0021000012345678LBF1 ES0021000012345678LB1 ES00210000123456780LB'),
    ...words(
      'E\u017f0021000012345678LB ES\u0660\u0660\u0662\u0661000012345678LB ES.0021.0000.1234.5678.LB X',
    ),
  ],
}

export const fiscalCodes = {
  right: [
    ...words('12345678Z 00000000T 54362315K 87654321X X1234567L x-1234567-l Y1234567X Z7654321H M1234567L'),
    ...words('K1234567L L1234567L A13585625 B64717838 J99216582 P2807900B P28079002 A1358562E ES12345678Z'),
    ...'es.12.345.678-z| B-64.717.838 '.split('|'),
  ],
  wrong: [
    ...words('54362315Z B64717839 X1234567T K1234567T 1234567L AB123456 ESES12345678Z PT12345678Z 12345678'),
    ...words('12345678ZZ I1234567A B6471783K E\u017f12345678Z \uff11\uff12345678Z 123456/78Z PAB123456'),
  ],
}

export const atrTariffs = {
  ELECTRICITY: {
    right: [...words('018 001 029 2.0TD 6.4TD 6.2TDVE 2.1DHS 3.1A 6.1B 6.5'), '2.0 td'],
    wrong: words('2.0 RL.2 000 030 18 6.4TDVE 6.6 2.0-TD R3'),
  },
  GAS: {
    right: words('RL.2 RL2 R3 3.4 rl.11 RL1 R9 L0 L1 S8 A5 B7 1.1 2.9 3.5'),
    wrong: words('RL.12 2.0TD RL.0 RL.01 R0 L2 S9 A4 B8 1.0 3.6 RL..2 \u017f1'),
  },
} as const

export const postcodes = {
  right: words('01000 52999 46001 28080'),
  wrong: [...words('00000 00999 53000 4600 460011 99999 4600A \u0664\u0666001'), '46 001', ' 46001'],
}

export const fourDigits = {
  right: words('0021 9820 0000'),
  wrong: [...words('21 00210 A021 982 \u0661\u0662\u0663\u0664'), '00 21', '9820 '],
}
