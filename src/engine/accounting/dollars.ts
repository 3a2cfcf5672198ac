const DOLLARS = { style: 'currency', currency: 'USD' } as const;
const FROM_A_DOLLAR = new Intl.NumberFormat('en-US', DOLLARS);
const FROM_A_CENT = new Intl.NumberFormat('en-US', { ...DOLLARS, maximumFractionDigits: 4 });
const BELOW_A_CENT = new Intl.NumberFormat('en-US', { ...DOLLARS, maximumSignificantDigits: 4 });

/** As the panel writes prices: four significant digits below a cent, then at most four decimals, two from a dollar on. */
export function priceText(dollars: number): string {
  if (dollars === 0 || dollars >= 1) {
    return FROM_A_DOLLAR.format(dollars);
  }
  return (dollars < 0.01 ? BELOW_A_CENT : FROM_A_CENT).format(dollars);
}
