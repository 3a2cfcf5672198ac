export interface Station {
  readonly name: string;
  readonly quayM: number;
  readonly everyMinutes: number;
}

const STATIONS: readonly Station[] = [
  { name: 'kiel', quayM: 1.8, everyMinutes: 1 },
  { name: 'husum', quayM: 3.4, everyMinutes: 1 },
  { name: 'cuxhaven', quayM: 3.1, everyMinutes: 5 },
];

export function findStation(name: string): Station {
  const station = STATIONS.find((candidate) => candidate.name === name);
  if (station === undefined) throw new Error(`There is no station ${name}.`);
  return station;
}
