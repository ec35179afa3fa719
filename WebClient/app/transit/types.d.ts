// The server's answers on public transport, as Documentation/http-api.md has them.

export interface Line {
  id: string;
  name: string;
  mode: string;
  color: string;
  textColor: string;
}
/** A line towards somewhere, on a board. */
export interface BoardLine {
  line: string;
  lineId: string;
  lineColor: string;
  textColor: string;
  mode: string;
  headsign: string;
}
export interface Departure extends BoardLine {
  direction: number | null;
  scheduled: string | null;
  expected: string | null;
  delay: number | null;
  state: 'scheduled' | 'live' | 'cancelled' | 'skipped' | 'added';
  approximate?: boolean;
  platform: string | null;
  trip: string;
  tripName?: string | null;
  pickup?: 'regular' | 'phone' | 'driver';
  wheelchair: boolean | null;
  lowFloor: boolean | null;
  alerts: string[];
}
export interface Interval extends BoardLine {
  headway: number;
  from: string;
  to: string;
}
export interface Forecast {
  state: 'live' | 'scheduled' | 'stale' | 'unavailable';
  source: string;
  updated: string | null;
  age: number | null;
  stale: boolean;
  alerts: string[];
  departures: Departure[];
  intervals?: Interval[];
}
export interface Stop {
  id: string;
  provider: string;
  name: string;
  code?: string | null;
  platform: string | null;
  station: boolean;
  lat: number;
  lon: number;
  distance?: number;
  bearing?: number;
  wheelchair: boolean | null;
  modes: string[];
  lines: Line[];
  reason: string | null;
  detail: string | null;
  forecast?: Forecast | null;
}
export interface Alert {
  id: string;
  header: string | null;
  text: string | null;
  url: string | null;
  effect: string | null;
  severity: 'info' | 'warning' | 'severe' | null;
}
export interface Attribution {
  provider: string;
  text: string;
  url: string | null;
}
export interface Answer {
  now: string;
  partial: boolean;
  attributions: Attribution[];
  alerts: Alert[];
  stops: Stop[];
}
export interface Vehicle {
  id: string;
  label: string | null;
  lat: number;
  lon: number;
  bearing: number | null;
  speed: number | null;
  line: string | null;
  lineColor: string | null;
  textColor: string | null;
  lineId: string | null;
  mode: string;
  headsign: string | null;
  age: number;
}
export interface ShapeLine {
  id: string;
  name: string;
  mode: string;
  color: string;
  textColor: string;
  paths: number[][];
}
export interface Providers {
  now: string;
  demonstration: boolean;
  center: { lat: number; lon: number } | null;
  streets?: { text: string | null; url: string | null } | null;
  providers: {
    id: string;
    name: string;
    attribution: { text: string; url: string | null } | null;
    bounds: [number, number, number, number] | null;
    vehicles: boolean;
  }[];
}
