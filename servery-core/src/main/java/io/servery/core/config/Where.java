package io.servery.core.config;

import io.servery.core.fault.Place;

/// Where a value was written. In a text it stays an offset until somebody asks for the place: most never do.
sealed interface Where {

    Place place();

    /// What `servery config` says of a value from here.
    String origin();

    record InText(SourceText text, Span span) implements Where {
        @Override
        public Place place() {
            return text.place(span);
        }

        @Override
        public String origin() {
            return text.name() + ":" + text.line(span.start());
        }
    }

    record Outside(Place place) implements Where {
        @Override
        public String origin() {
            return switch (place) {
                case Place.Argument argument -> argument.option();
                case Place.InText _,Place.Named _,Place.Variable _ -> place.text();
            };
        }
    }
}
